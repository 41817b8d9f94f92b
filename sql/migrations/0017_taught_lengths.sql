-- Lengths that the server taught are kept, and check --api enters what it found out.

-- One row per endpoint and way of asking for it
create table meta.taught_lengths (
  endpoint varchar not null,
  asked_with varchar not null,
  max_days integer not null,
  taught_on date not null,
  run_id varchar not null
);
comment on table meta.taught_lengths is 'The longest range of days that an endpoint answers, where the server refused a longer one. Counts for 30 days; afterwards longer ranges are tried again.';

comment on table meta.quotas is 'The hourly quota of each organization, as last seen.';
comment on table meta.probes is 'What one more question, or answerlake check --api, showed about a parameter that an answer may have ignored. A good verdict counts for 7 days.';
