import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'

test('the help of serve shows the default value of each flag that has one', async () => {
  const { stdout } = await run(['serve', '--help'], { COLUMNS: '200' })

  const defaults = [...stdout.matchAll(/(--[\w-]+) [^(]*?\(default:\s+([^,)]+)/g)]
  const byFlag = Object.fromEntries(defaults.map(([, flag, value]) => [flag, value]))
  expect(byFlag).toMatchObject({
    '--port': '4010',
    '--policy': 'none',
    '--fault': 'none',
    '--redact': 'none',
    '--neighbours': 'none',
  })
  expect(Object.values(byFlag).filter((value) => value === 'none')).toHaveLength(4)
})
