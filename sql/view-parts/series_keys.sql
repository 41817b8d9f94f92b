-- What tells series of one endpoint apart.
project_id, scope, scope_id, grain
