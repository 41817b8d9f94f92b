-- Functions that make texts of other sources comparable with those of the views; sql/postgres/text-functions.sql has the same.
{% from "text.sql" import host, path, source_key %}
create or replace macro main.host_of(input) as
{{ host("input") }};
create or replace macro main.canonical_path(input) as
{{ path("input") }};
create or replace macro main.source_of(input) as
(select min(a.vendor) from main.ai_vendors a where a.source_key = {{ source_key("input") }} and a.source_key <> '');
