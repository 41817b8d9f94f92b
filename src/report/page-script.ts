/** Adds to a page that works without it: texts beside the pointer at once, and the chosen project in the address. */
export const PAGE_SCRIPT = `(() => {
  const box = document.getElementById('tooltip');
  // Once texts are shown here, the browser's own would cover them; names stay in aria-label.
  for (const title of document.querySelectorAll('svg[role=img] > title')) title.remove();
  const textOf = (mark) => {
    const title = mark.querySelector('title');
    if (title) { mark.dataset.tip = title.textContent; title.remove(); }
    return mark.dataset.tip || '';
  };
  const show = (event) => {
    const mark = event.target instanceof Element ? event.target.closest('.tip') : null;
    const text = mark ? textOf(mark) : '';
    box.hidden = text === '';
    if (text === '') return;
    box.textContent = text;
    const { offsetWidth: width, offsetHeight: height } = box;
    const left = event.clientX + 14 + width > innerWidth ? event.clientX - width - 14 : event.clientX + 14;
    const top = event.clientY + 14 + height > innerHeight ? event.clientY - height - 14 : event.clientY + 14;
    box.style.left = Math.max(4, left) + 'px';
    box.style.top = Math.max(4, top) + 'px';
  };
  document.addEventListener('pointermove', show);
  document.addEventListener('pointerdown', show);
  document.addEventListener('scroll', () => { box.hidden = true; }, { passive: true, capture: true });
  document.addEventListener('pointerleave', () => { box.hidden = true; });
  const picks = [...document.querySelectorAll('.pick')];
  const restore = () => {
    const wanted = location.hash.slice(1);
    const pick = picks.find((one) => one.value === wanted);
    if (pick) pick.checked = true;
  };
  for (const pick of picks) pick.addEventListener('change', () => history.replaceState(null, '', '#' + pick.value));
  addEventListener('hashchange', restore);
  restore();
})();`;
