import { brandToken, type Token } from '../palette.ts';
import type { ProjectData } from '../project-data.ts';

/** One colour a brand, the same in every chart: ours, then the most mentioned others. */
export function brandColours({ brands }: ProjectData): Map<string, Token> {
  const others = brands.filter((brand) => !brand.is_own_brand && brand.relation !== 'IGNORED');
  return new Map(
    brands.map((brand) => {
      const place = others.indexOf(brand);
      return [brand.brand_id, brandToken(brand.is_own_brand, place < 0 ? Infinity : place)];
    }),
  );
}
