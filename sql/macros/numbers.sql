{# Probability that a standard normal figure lies at least `z` (0 or more) from 0, either way. Abramowitz and Stegun 26.2.17: off by less than 1e-7. #}
{% macro two_sided(z) -%}
2 * 0.3989422804 * exp(-({{ z }}) * ({{ z }}) / 2) * (1 / (1 + 0.2316419 * ({{ z }})))
      * (0.319381530 + (1 / (1 + 0.2316419 * ({{ z }}))) * (-0.356563782 + (1 / (1 + 0.2316419 * ({{ z }})))
      * (1.781477937 + (1 / (1 + 0.2316419 * ({{ z }}))) * (-1.821255978 + (1 / (1 + 0.2316419 * ({{ z }}))) * 1.330274429))))
{%- endmacro %}

{# How far the difference of the means of so many days strays by itself: means of many days less, periods whose middles lie far apart more. #}
{% macro half(typical_7, days, days_against, days_between) -%}
{{ typical_7 }} * power((1.0 / nullif({{ days }}, 0) + 1.0 / nullif({{ days_against }}, 0)) / (2 / 7.0), 0.32) * greatest(1, sqrt(abs({{ days_between }}) / 28.0))
{%- endmacro %}
