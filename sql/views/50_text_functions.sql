-- Functions that make texts of other sources comparable with those of the views.
{% from "text.sql" import host, path, source_key %}
{{ text_function("host_of", host("input")) }}
{{ text_function("canonical_path", path("input")) }}
{{ text_function("source_of", "(select min(a.vendor) from main.ai_vendors a where a.source_key = " ~ source_key("input") ~ " and a.source_key <> '')") }}
