// The script in the page of the report, bundled for browsers: redraws the charts for the chosen project, days and width, and shows tooltips.
import { cardBody, chartsOf, figuresTable, pageHead, rangeOf } from './cards.ts';
import { keyFigures, shiftsBody, overviewBody } from './key-figures.ts';

const data = JSON.parse(document.getElementById('report-data').textContent);
const charts = new Map();
let wanted = data.days;
const bodyOf = (card) => card.querySelector('.body');
const fillTable = (card) => {
  const details = card.querySelector('details');
  const chart = charts.get(card);
  details.hidden = chart.draw === null;
  details.querySelector('.figures').innerHTML = details.open
    ? figuresTable(chart.table(), chart.title).text
    : '';
};
const draw = (section, widths) => {
  const project = data.projects[section.dataset.project];
  if (!project) return;
  const { charts: figures } = project;
  const range = rangeOf(figures, wanted);
  section.querySelector('.running').textContent = pageHead(project.name, figures, wanted);
  section.querySelector('.key-figures').innerHTML = keyFigures(figures, range).text;
  section.querySelector('.shifts-body').innerHTML = shiftsBody(figures, range).text;
  for (const chart of chartsOf(figures, range)) {
    const card = section.querySelector('[data-chart="' + chart.name + '"]');
    const width = widths
      ? chart.isWide
        ? widths.wide
        : widths.half
      : Math.max(280, Math.floor(bodyOf(card).clientWidth));
    charts.set(card, chart);
    card.querySelector('h3').textContent = chart.title;
    bodyOf(card).innerHTML = cardBody(chart, width).text;
    fillTable(card);
  }
};
const sections = [...document.querySelectorAll('.project[data-project]')];
const overview = document.querySelector('.overview');
const cover = document.querySelector('.cover');
const all = cover && cover.textContent;
const isShown = (section) => section.offsetParent !== null;
const drawShown = (widths) => {
  for (const section of sections) if (isShown(section)) draw(section, widths);
  if (overview && data.projects.length > 0) {
    const body = overview.querySelector('.overview-body');
    body.innerHTML = overviewBody(data.projects, wanted).text;
    overview.querySelector('.running').textContent = body.querySelector('h2').textContent;
  }
  // Browsers name the PDF by the title.
  const shown = sections.filter(isShown);
  const project = shown.length === 1 ? data.projects[shown[0].dataset.project] : undefined;
  if (!cover) return;
  cover.textContent = project ? pageHead(project.name, project.charts, wanted) : all;
  document.title = cover.textContent + ' · ' + document.querySelector('h1').textContent;
};
for (const card of document.querySelectorAll('[data-chart]'))
  card.querySelector('details').addEventListener('toggle', () => fillTable(card));

const ranges = document.querySelector('.ranges');
if (ranges) {
  for (const input of ranges.querySelectorAll('input')) {
    input.checked = Number(input.value) === wanted;
    input.addEventListener('change', () => {
      wanted = Number(input.value);
      drawShown();
    });
  }
}

const drawChosen = () => {
  if (ranges) ranges.hidden = false;
  drawShown();
};
addEventListener('hashchange', () => {
  drawChosen();
  scrollTo(0, 0);
});
let width = innerWidth;
let timer = 0;
addEventListener('resize', () => {
  if (innerWidth === width) return;
  width = innerWidth;
  clearTimeout(timer);
  timer = setTimeout(drawShown, 120);
});
// Paper is wider than a phone and narrower than a screen.
addEventListener('beforeprint', () => sections.forEach((section) => draw(section, { half: 480, wide: 990 })));
addEventListener('afterprint', () => drawShown());

const search = document.querySelector('.search');
if (search) {
  const rows = [...document.querySelectorAll('.board tbody tr')];
  const plain = (text) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  search.hidden = false;
  search.querySelector('input').addEventListener('input', (event) => {
    const words = plain(event.target.value).split(/\s+/);
    for (const row of rows) row.hidden = !words.every((word) => plain(row.dataset.name).includes(word));
    document.querySelector('.nothing').hidden = rows.some((row) => !row.hidden);
  });
}

const box = document.getElementById('tooltip');
const line = document.getElementById('crosshair');
const hide = () => {
  box.hidden = true;
  line.hidden = true;
};
const show = (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const svg = target && target.closest('svg[data-left]');
  const mark = target && target.closest('.tip');
  if (!svg && !mark) return hide();
  let text = '';
  line.hidden = true;
  if (svg) {
    const frame = svg.getBoundingClientRect();
    const scale = frame.width / svg.viewBox.baseVal.width;
    const left = Number(svg.dataset.left) * scale;
    const inner = Number(svg.dataset.inner) * scale;
    const place = (event.clientX - frame.left - left) / inner;
    const chart = charts.get(svg.closest('[data-chart]'));
    if (place < 0 || place > 1 || !chart || !chart.tip) return hide();
    const tip = chart.tip(place);
    text = tip.text;
    line.hidden = false;
    line.style.left = frame.left + left + tip.at * inner + 'px';
    line.style.top = frame.top + 'px';
    line.style.height = frame.height - 24 * scale + 'px';
  } else {
    const title = mark.querySelector('title');
    if (title) {
      mark.dataset.tip = title.textContent;
      title.remove();
    }
    text = mark.dataset.tip || '';
  }
  box.hidden = text === '';
  box.textContent = text;
  const { offsetWidth, offsetHeight } = box;
  const x =
    event.clientX + 16 + offsetWidth > innerWidth ? event.clientX - offsetWidth - 16 : event.clientX + 16;
  const y =
    event.clientY + 14 + offsetHeight > innerHeight ? event.clientY - offsetHeight - 14 : event.clientY + 14;
  box.style.left = Math.max(4, x) + 'px';
  box.style.top = Math.max(4, y) + 'px';
};
document.addEventListener('pointermove', show);
document.addEventListener('pointerdown', show);
document.addEventListener('scroll', hide, { passive: true, capture: true });
// Only then does a section know that the address names it.
addEventListener('load', () => {
  document.documentElement.classList.add('drawn');
  drawChosen();
});
