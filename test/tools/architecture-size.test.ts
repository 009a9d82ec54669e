import { expect, test } from 'vitest'
import { sources } from '../support/sources.ts'

/** Files of more than 250 lines, each with its reason. */
const reasonedLongFiles: Readonly<Record<string, string>> = {
  'cli/recording/proxy.ts':
    'the whole proxy: taking a request, forwarding it, handing its response back',
  'policies/service.ts': 'data: one entry after the other',
  'scenarios/recording/exact-step.ts': 'to become one with the recorder',
}

test('a file is one concept, of at most 250 lines', () => {
  const long = sources.filter(({ lines }) => lines > 250).map(({ file }) => file)

  expect(long.sort()).toEqual(Object.keys(reasonedLongFiles).sort())
})
