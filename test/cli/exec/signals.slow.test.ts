import { expect, test } from 'vitest'
import { outputOf, startProcess, waitForExit } from '../../support/cli/process.ts'

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const

/** Starts exec with a Node program, which prints "ready" and waits. */
function start(program: string) {
  const ready = 'console.log("ready", process.env.UNDERSTUDY_URL); setTimeout(() => {}, 60_000)'
  return startProcess(['exec', '--', process.execPath, '-e', `${program};${ready}`])
}

test('exec forwards signals, serves until the command ends, and ends with its exit code', async () => {
  const program = `
    const ask = async () => (await fetch(process.env.UNDERSTUDY_URL + '/__admin/health')).status
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(name, async () => {
        for (let count = 0; count < 20; count++) await ask()
        console.log('got', name, await ask())
        if (name === 'SIGHUP') process.exit(3)
      })
    }`
  const child = start(program)
  const end = waitForExit(child)
  await expect.poll(() => outputOf(child).stdout).toContain('ready')

  for (const [signal] of signals) {
    child.kill(signal)
    await expect.poll(() => outputOf(child).stdout).toContain(`got ${signal} 200\n`)
  }

  expect(await end).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^The command sent no request to the API\. .*\n$/),
  })
})

test.each(signals)(
  '%s ends a command without a handler, and exec ends with %i',
  async (signal, code) => {
    const child = start('')
    const ending = waitForExit(child)
    await expect.poll(() => outputOf(child).stdout).toContain('ready')

    child.kill(signal)
    const end = await ending

    expect([end.code, end.stderr]).toEqual([code, ''])
    const url = /http:\S+/.exec(end.stdout)?.[0]
    await expect(fetch(`${url}/__admin/health`)).rejects.toThrow()
  },
)
