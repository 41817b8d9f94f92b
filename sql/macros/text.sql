{# Texts that are compared across sources. #}

{# Host of an address or a host name: lower case, without scheme, port, path and `www.`. #}
{% macro host(text) -%}
regexp_replace(regexp_replace(regexp_replace(lower(trim({{ text }})), '^([a-z][a-z0-9+.-]*:)?//', ''), '[/?#:].*$', ''), '^www[.]', '')
{%- endmacro %}

{# Path of an address or a path: without host, query, fragment and trailing slash; `/` for the root. #}
{% macro path(text) -%}
case when {{ text }} is not null then coalesce(nullif(regexp_replace(regexp_replace(regexp_replace(trim({{ text }}), '^([a-zA-Z][a-zA-Z0-9+.-]*:)?//[^/?#]*', ''), '[?#].*$', ''), '/+$', ''), ''), '/') end
{%- endmacro %}

{# What sources are matched by: letters and digits of the host. #}
{% macro source_key(text) -%}
regexp_replace({{ host(text) }}, '[^a-z0-9]', '', 'g')
{%- endmacro %}

{# Share of `part` in `whole` with its 95 % interval in percent (Wilson); `sign` is -1 or 1. #}
{% macro wilson(part, whole, sign) -%}
100.0 * ({{ part }} + 1.9207 {{ "-" if sign == -1 else "+" }} 1.96 * sqrt(1.0 * {{ part }} * ({{ whole }} - {{ part }}) / nullif({{ whole }}, 0) + 0.9604)) / ({{ whole }} + 3.8415)
{%- endmacro %}
