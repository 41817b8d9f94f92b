-- What tells daily series of whole projects apart.
project_id, endpoint
