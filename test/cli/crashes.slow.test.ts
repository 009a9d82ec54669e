import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { annotationsPath as annotations } from '../support/api/paths.ts'
import { nodeClient } from '../support/cli/node-client.ts'
import { runProcess } from '../support/cli/process.ts'
import { startServeProcess } from '../support/cli/serve.ts'
import { temporaryFolder } from '../support/files.ts'
import { root } from '../support/root.ts'

/** A module with a handler that leaves an error behind, in a folder of its own. */
function handlersThat(leave: string): string {
  const file = join(temporaryFolder(), 'handlers.mjs')
  const msw = JSON.stringify(`${root}node_modules/msw/lib/core/index.mjs`)
  writeFileSync(
    file,
    `import { http, HttpResponse } from ${msw}
export const handlers = [http.get('*/leave', () => {
  ${leave}
  return HttpResponse.json({})
})]
`,
  )
  return file
}

const errors = [
  ["Promise.reject(new Error('lost'))", ':3', 'Error: lost'],
  ["setTimeout(() => { throw new TypeError('late') })", ':3', 'TypeError: late'],
  ["Promise.reject('no error')", '', "'no error'"],
] as const

test.each(errors)(
  'serve ends with 1 and saves if a handler leaves an error: %s',
  async (leave, line, what) => {
    const file = handlersThat(leave)
    const folder = temporaryFolder()
    const state = join(folder, 'state.json')
    const flags = ['--handlers', file, '--state', state]
    const server = await startServeProcess(flags)

    await server.ask('POST', annotations, { body: { content: 'Acknowledged' } })
    await fetch(`${server.url}/leave`).catch(() => {})
    const { code, stderr } = await server.stop('SIGCONT')

    expect([code, stderr.split('\n').at(-2)]).toEqual([
      1,
      `Your code in ${file}${line} left an error that it did not catch: ${what}. Catch it there, and await each promise.`,
    ])
    expect(readdirSync(folder)).toEqual(['state.json'])
    expect(readFileSync(state, 'utf8')).toContain('"Acknowledged"')
  },
)

test('exec goes on, names the error, and ends with 1', async () => {
  const file = handlersThat("Promise.reject(new Error('lost'))")
  const client = nodeClient(`
    await fetch(process.env.UNDERSTUDY_URL + '/leave')
    await ask('GET', list)`)

  const { code, stderr } = await runProcess(['exec', '--handlers', file, ...client])

  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`Your code in ${file}:3 left an error`),
  ])
})
