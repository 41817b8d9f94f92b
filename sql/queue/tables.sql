-- The tables of the queue that pg-boss does not make: one row per setting, and one per process.
create schema if not exists answerlake;
create table if not exists answerlake.settings (name text primary key, value text not null);
create table if not exists answerlake.processes (
  process_id uuid primary key,
  kind text not null,
  host text not null,
  version text not null,
  backend int not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  detail jsonb not null default '{}'
)
