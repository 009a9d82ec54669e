import { expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../../../src/index.ts'
import { listen } from '../../../src/node.ts'
import { loopback } from '../../support/certificates.ts'
import { run } from '../../support/cli/command.ts'
import { readStep, writeScenarioFile } from '../../support/scenarios/scenario-files.ts'

test('a server behind an untrusted certificate ends with 4', async () => {
  const { url, close } = await listen(createSimulator(), { tls: loopback })
  onTestFinished(() => close())

  const { code, stderr } = await run(['replay', writeScenarioFile([readStep]), '--target', url])

  expect(code).toBe(4)
  expect(stderr).toContain(
    `Failed to reach ${url}: Node does not trust its certificate (DEPTH_ZERO_SELF_SIGNED_CERT).`,
  )
})
