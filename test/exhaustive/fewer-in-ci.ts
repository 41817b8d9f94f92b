/** Cases made by a seed: CI tries some of them, because it must end well within 20 minutes on a busy machine; the page of figures tells of all. */
export function fewerInCi({ all, some }: { all: number; some: number }): number {
  return process.env['CI'] === undefined ? all : some;
}
