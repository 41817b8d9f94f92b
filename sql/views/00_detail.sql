-- The schema of everything: each view of main with every filter, period, rolling window and running day, and the helpers.
create schema if not exists detail;
