-- Daily series of whole projects.
z.scope = 'project' and coalesce(z.grain, 'day') = 'day'
