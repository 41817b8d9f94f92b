-- Visits of single landing pages are a scope of the visits.
comment on column core.visitor_visits.scope is 'Filter the request carried: project (none) or page (one landing page, sync.landing_pages). The visits of the project contain those of its pages: never add scopes.';
comment on column core.visitor_visits.scope_id is 'Path of the page; the project id in scope project.';
