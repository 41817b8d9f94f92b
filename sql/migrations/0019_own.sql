-- Endpoints and views of one's own have a schema of their own.

create schema if not exists own;
