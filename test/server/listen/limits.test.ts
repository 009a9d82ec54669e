import { expect, test } from 'vitest'
import { listen } from '../../../src/server/listen.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { run } from '../../support/cli/command.ts'

test.each([
  [{ maxConnections: 0 }, 'maxConnections to be a whole number from 1 to 2147483647, got 0.'],
  [{ maxUrlLength: 1.5 }, 'maxUrlLength to be a whole number from 1 to 2147483647, got 1.5.'],
  [{ maxHeaders: '9' }, 'maxHeaders to be a whole number from 1 to 2147483647, got "9".'],
  [{ headersTimeout: -1 }, 'headersTimeout to be a whole number from 0 to 2147483647, got -1.'],
  [
    { headersTimeout: 300_001 },
    'headersTimeout (--headers-timeout) to be at most requestTimeout (300000), got 300001. Raise requestTimeout (--request-timeout), or set it to 0.',
  ],
])('limits are refused: %o', async (limits, message) => {
  await expect(listen(createSimulator(), limits as never)).rejects.toThrow(
    `Failed to listen: expected ${message}`,
  )
})

test.each([
  ['--max-connections', '0', 'a whole number from 1 to 2147483647, got 0.'],
  ['--request-timeout', '5s', 'a whole number from 0 to 2147483647, got "5s".'],
])('%s %s is refused', async (flag, value, message) => {
  const variable = `UNDERSTUDY_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`

  const { code, stderr } = await run([flag, value])

  expect(code).toBe(2)
  expect(stderr).toContain(`Failed to read ${flag} (or ${variable}): expected ${message}`)
})
