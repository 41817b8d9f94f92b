-- Begins the transaction of a publish, one at a time: the lock has a number that other programs are unlikely to use.
begin;
set local lock_timeout = '60s';
set local statement_timeout = 0;
set local idle_in_transaction_session_timeout = 0;
set local timezone = 'UTC';
set local datestyle = 'ISO, YMD';
-- Messages name schemas.
set local search_path = pg_catalog;
select pg_advisory_xact_lock(7021449120)
