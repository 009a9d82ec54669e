import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outputOf, startProcess } from '../support/cli/process.ts'
import { temporaryFolder } from '../support/files.ts'
import { root } from '../support/root.ts'

test('an error that a handler of the user leaves behind ends exec with 1, by Node, and its command with it', async () => {
  const file = join(temporaryFolder(), 'handlers.mjs')
  const msw = JSON.stringify(`${root}node_modules/msw/lib/core/index.mjs`)
  writeFileSync(
    file,
    `import { http, HttpResponse } from ${msw}
export const handlers = [http.get('*/leave', () => {
  Promise.reject(new Error('lost'))
  return HttpResponse.json({})
})]
`,
  )
  const client = `process.on('SIGTERM', () => process.exit(console.log('ended')))
    fetch(process.env.UNDERSTUDY_URL + '/leave').catch(() => {})
    setInterval(() => {}, 1_000)`

  const child = startProcess(['exec', '--handlers', file, '--', process.execPath, '-e', client])
  // Node prints a stack.
  const [code] = await once(child, 'close')

  expect([code, outputOf(child).stderr]).toEqual([
    1,
    expect.stringMatching(/handlers\.mjs:3[\s\S]*Error: lost/),
  ])
  expect(outputOf(child).stdout).toBe('ended\n')
})
