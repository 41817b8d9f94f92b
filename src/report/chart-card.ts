import { HALF, NARROW, WIDE, type Chart, type Size, type Table } from './chart.ts';
import { legendList } from './legend.ts';
import { markup, type Markup } from './markup.ts';
import { drawMarks, svgElement } from './render-svg.ts';

/** A chart with its title, what its marks mean and its figures as a table. `id` is unique in the page. */
export async function chartCard(chart: Chart, id: string): Promise<Markup> {
  const sizes: Size[] = chart.isWide === true ? [NARROW, HALF, WIDE] : [NARROW, HALF];
  const pictures: Markup[] = [];
  if (chart.draw !== null) {
    for (const size of sizes) {
      const frame = { id: `${id}-${size.name}`, title: chart.title, description: chart.description };
      pictures.push(
        markup`<div class="plot ${size.name}">${svgElement(await drawMarks(chart.draw(size)), frame)}</div>`,
      );
    }
  }
  const body =
    chart.draw === null
      ? markup`<p class="empty"><strong>No data.</strong> ${chart.noData}</p>`
      : markup`${legendList(chart.legend)}${pictures}${chart.note === undefined ? '' : markup`<p class="note">${chart.note}</p>`}`;
  return markup`<section class="card${chart.isWide === true ? ' wide-card' : ''}" id="${id}" data-chart="${chart.name}" aria-labelledby="${id}-h">
<h3 id="${id}-h">${chart.title}</h3><p class="subtitle">${chart.subtitle}</p>
${body}${chart.draw === null ? '' : tableBelow(chart.table, chart.title)}</section>
`;
}

function tableBelow(table: Table, title: string): Markup {
  if (table.rows.length === 0) return markup``;
  const head = table.columns.map(
    (column) => markup`<th scope="col"${numberClass(column.isNumber)}>${column.title}</th>`,
  );
  const rows = table.rows.map((row) => {
    const cells = row.map((cell, index) =>
      index === 0
        ? markup`<th scope="row">${cell}</th>`
        : markup`<td${numberClass(table.columns[index]?.isNumber)}>${cell}</td>`,
    );
    return markup`<tr>${cells}</tr>`;
  });
  return markup`<details><summary>Figures as a table</summary><div class="scroll" tabindex="0" role="region" aria-label="Figures: ${title}"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

function numberClass(isNumber: boolean | undefined): Markup {
  return isNumber === true ? markup` class="n"` : markup``;
}
