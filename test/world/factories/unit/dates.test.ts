import { expect, test } from 'vitest'
import { morningOnOrBefore } from '../../../../src/world/factories/dates.ts'

test('a morning is on the day before, if it would be too late', () => {
  const random = { integer: (lowest: number) => lowest }
  const morning = (moment: string, latest: string) =>
    new Date(
      morningOnOrBefore(Date.parse(moment), Date.parse(latest), random as never),
    ).toISOString()

  expect(morning('2024-06-10T03:00:00Z', '2024-06-10T07:00:00Z')).toBe('2024-06-10T07:00:00.000Z')
  expect(morning('2024-06-10T03:00:00Z', '2024-06-10T06:59:00Z')).toBe('2024-06-09T07:00:00.000Z')
})
