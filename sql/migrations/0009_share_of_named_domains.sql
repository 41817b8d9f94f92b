-- A domain that a list was cut off before is asked for by its name; the share that comes with it is not one of all citations.
comment on column core.domain_citation_totals.percentage is 'Share of all citations, percent; NULL for a domain that was asked for by its name because the list was cut off before it. Do not add over windows. Source: v1 citations/domains-over-time.';
