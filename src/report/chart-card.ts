import type { Chart, Drawing, Table } from './chart.ts';
import { ink } from './ink.ts';
import { legendList } from './legend.ts';
import { markup, type Markup } from './markup.ts';

/** A drawing as one `<svg>` element with an accessible name. */
export function svgElement({ width, height, marks, plot }: Drawing, chart: Chart): Markup {
  const place =
    plot === undefined ? '' : markup` data-left="${plot.left}" data-inner="${Math.round(plot.width)}"`;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-size="12" fill="${ink('muted')}" aria-label="${chart.title}. ${chart.description}"${place}>${marks}</svg>`;
}

/** What stands in a card below its title: the same here and in the page. */
export function cardBody(chart: Chart, width: number): Markup {
  const drawn =
    chart.draw === null
      ? markup`<p class="empty"><strong>No data.</strong> ${chart.noData}</p>`
      : markup`${legendList(chart.legend)}<div class="plot">${svgElement(chart.draw(width), chart)}</div>${chart.note === undefined ? '' : markup`<p class="note">${chart.note}</p>`}`;
  return markup`<p class="subtitle">${chart.subtitle}</p>${drawn}`;
}

/** The figures of a chart as a table. */
export function figuresTable({ columns, rows }: Table, title: string): Markup {
  const numberClass = (isNumber: boolean | undefined): Markup | string =>
    isNumber === true ? markup` class="n"` : '';
  const head = columns.map(
    (column) => markup`<th scope="col"${numberClass(column.isNumber)}>${column.title}</th>`,
  );
  const body = rows.map((row) => {
    const cells = row.map((cell, index) =>
      index === 0
        ? markup`<th scope="row">${cell}</th>`
        : markup`<td${numberClass(columns[index]?.isNumber)}>${cell}</td>`,
    );
    return markup`<tr>${cells}</tr>`;
  });
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Figures: ${title}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
