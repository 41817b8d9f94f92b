/** Cases made by a seed: CI tries some of them, because it must end within 15 minutes; the page of figures is made of all. */
export function fewerInCi({ all, some }: { all: number; some: number }): number {
  return process.env['CI'] === undefined ? all : some;
}
