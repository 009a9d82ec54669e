import { expect, test, vi } from 'vitest'
import { outputOf, startProcess, waitForExit } from '../../support/cli/process.ts'

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const

/** Runs a program of Node by exec, sends exec a signal when the program says it is ready, and waits for the end. */
async function signalled(program: string, signal: NodeJS.Signals) {
  const ready = 'console.log("ready", process.env.UNDERSTUDY_URL); setTimeout(() => {}, 60_000)'
  const child = startProcess(['exec', '--', process.execPath, '-e', `${program};${ready}`])
  const end = waitForExit(child)
  await vi.waitUntil(() => outputOf(child).stdout.includes('ready'), { timeout: 20_000 })
  child.kill(signal)
  return end
}

test.each(signals)('%s reaches the command, whose answer to it counts', async (signal) => {
  const program = `process.on('${signal}', () => { console.log('got ${signal}'); process.exit(3) })`

  const { code, stdout, stderr } = await signalled(program, signal)

  expect([code, stderr]).toEqual([3, ''])
  expect(stdout).toMatch(new RegExp(`got ${signal}\\n$`))
})

test.each(signals)('%s ends a command that does not care, with %i', async (signal, code) => {
  const end = await signalled('', signal)

  expect([end.code, end.stderr]).toEqual([code, ''])
  const url = /http:\S+/.exec(end.stdout)?.[0]
  await expect(fetch(`${url}/__admin/health`)).rejects.toThrow()
})

test('a command that cleans up after a signal has the API until it ends', async () => {
  const program = `process.on('SIGTERM', async () => {
    await new Promise((resolve) => setTimeout(resolve, 200))
    console.log((await fetch(process.env.UNDERSTUDY_URL + '/__admin/health')).status)
    process.exit(0)
  })`

  const { code, stdout } = await signalled(program, 'SIGTERM')

  expect(code).toBe(0)
  expect(stdout).toMatch(/200\n$/)
})
