import { expect, test } from 'vitest'
import { JsonPage, KeptPages } from '../../src/http/pages.ts'
import { JsonText } from '../../src/utils/json.ts'

const million = 1024 * 1024

test('the pages are at most twenty, and have at most four MiB', () => {
  const pages = new KeptPages()
  const keptOf = (count: number) =>
    Array.from({ length: count }, (_, page) => pages.get(String(page))).filter(Boolean).length

  for (let page = 0; page < 50; page++) pages.set(String(page), new JsonPage(new JsonText('text')))
  const few = keptOf(50)
  for (let page = 0; page < 5; page++)
    pages.set(String(page), new JsonPage(new JsonText('x'.repeat(million))))
  const long = keptOf(5)
  pages.set('0', new JsonPage(new JsonText('x'.repeat(4 * million + 1))))

  expect(few).toBeGreaterThan(0)
  expect(few).toBeLessThanOrEqual(20)
  expect(long).toBeGreaterThan(0)
  expect(long).toBeLessThanOrEqual(4)
  expect((pages.get('0')?.body as Uint8Array | undefined)?.length ?? 0).toBeLessThan(4 * million)
})
