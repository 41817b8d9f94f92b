-- One row per worker, loader and standby. $1: the milliseconds without a heartbeat after which a process is dead.
select process_id, kind, host, version, started_at, seen_at, detail, {{is_alive}} as is_alive
from answerlake.processes p
order by kind, started_at
