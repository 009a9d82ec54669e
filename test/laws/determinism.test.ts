import { expect, test } from 'vitest'
import { type Line, script } from '../support/script.ts'
import { start } from '../support/start.ts'

test('the same requests give the same bytes, run after run', async () => {
  const first = await run(script)
  const second = await run(script)

  expect(first).toHaveLength(script.length)
  expect(second).toEqual(first)
})

test('so they do in the profile live, after a reset, and after a snapshot', async () => {
  const { simulator, ...client } = await started('live')
  const snapshot = simulator.snapshot()

  const first = await client.play(script)
  simulator.reset()
  const afterReset = await client.play(script)
  simulator.restore(snapshot)
  const afterRestore = await client.play(script)

  expect(afterReset).toEqual(first)
  expect(afterRestore).toEqual(first)
  expect(await (await started('live')).play(script)).toEqual(first)
})

async function run(lines: readonly Line[]): Promise<string[]> {
  return (await started('documented')).play(lines)
}

async function started(profile: 'documented' | 'live') {
  const { simulator, origin } = await start({ profile })
  const play = async (lines: readonly Line[]) => {
    const answers: string[] = []
    for (const { method, path, headers, body } of lines) {
      const answer = await fetch(origin + path, {
        method,
        headers,
        ...(body && { body: body as BodyInit }),
      })
      const text = (await answer.text()).replaceAll(origin, '')
      answers.push(`${method} ${path} → ${answer.status} ${answer.headers.get('allow')} ${text}`)
    }
    return answers
  }
  return { simulator, play }
}
