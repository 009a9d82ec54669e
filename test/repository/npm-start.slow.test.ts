import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../support/cli/command.ts'

test('npm start ends with npm, whatever becomes of the shell between them', async () => {
  const npm = spawn('npm', ['start', '--silent', '--', '--port', '0', '--json'], { cwd: root })
  onTestFinished(() => void npm.kill('SIGKILL'))
  const [printed] = await once(npm.stdout, 'data')
  const { url } = JSON.parse(String(printed))
  const isUp = (await fetch(`${url}/__admin/health`)).ok

  npm.kill('SIGTERM')
  await expect.poll(() => fetch(url).catch(() => 'gone')).toBe('gone')

  expect(isUp).toBe(true)
})
