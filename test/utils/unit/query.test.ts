import { expect, test } from 'vitest'
import { parseQuery } from '../../../src/utils/query.ts'

test.each([
  'a=%e2&b=%e2%82&c=%e2%82%ac&%e2=%82%82',
  'a=%&b=%4&c=%zz&d=%41%&%=%25',
  'a=%ed%a0%80&b=%f4%90%80%80&c=%c0%80&d=%ef%bb%bf',
  'a=%ff%41%fe+%C3%A9%c3',
])('invalid encodings are read as URLSearchParams reads them: %s', (text) => {
  expect([...parseQuery(text)]).toEqual([...new URLSearchParams(text)])
})
