import { expect, test } from 'vitest'
import { outputOf, startProcess, waitForExit } from '../../support/cli/process.ts'

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const

/** Runs a Node program with exec, sends exec a signal when the program is ready, and waits for the end. */
async function runAndSignal(program: string, signal: NodeJS.Signals) {
  const ready = 'console.log("ready", process.env.UNDERSTUDY_URL); setTimeout(() => {}, 60_000)'
  const child = startProcess(['exec', '--', process.execPath, '-e', `${program};${ready}`])
  const end = waitForExit(child)
  await expect.poll(() => outputOf(child).stdout).toContain('ready')
  child.kill(signal)
  return end
}

test.each(signals)(
  'exec forwards %s, and ends with the exit code of the command',
  async (signal) => {
    const program = `process.on('${signal}', () => { console.log('got ${signal}'); process.exit(3) })`

    const { code, stdout, stderr } = await runAndSignal(program, signal)

    expect([code, stderr]).toEqual([3, ''])
    expect(stdout).toMatch(new RegExp(`got ${signal}\\n$`))
  },
)

test.each(signals)(
  '%s ends a command without a handler, and exec ends with %i',
  async (signal, code) => {
    const end = await runAndSignal('', signal)

    expect([end.code, end.stderr]).toEqual([code, ''])
    const url = /http:\S+/.exec(end.stdout)?.[0]
    await expect(fetch(`${url}/__admin/health`)).rejects.toThrow()
  },
)

test('a command that handles a signal has the API until it ends', async () => {
  const program = `process.on('SIGTERM', async () => {
    const statuses = new Set()
    for (let count = 0; count < 50; count++) {
      statuses.add((await fetch(process.env.UNDERSTUDY_URL + '/__admin/health')).status)
    }
    console.log(...statuses)
    process.exit(0)
  })`

  const { code, stdout } = await runAndSignal(program, 'SIGTERM')

  expect(code).toBe(0)
  expect(stdout).toMatch(/\n200\n$/)
})
