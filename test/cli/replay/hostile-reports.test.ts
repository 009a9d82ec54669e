import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { temporaryFile, temporaryFolder } from '../../support/files.ts'

const markup = `"'><img src=x onerror=alert(1)></pre></title></section><script>alert(1)</script>`
const control = ']]>\u0000\u0007\u001b[31m\u001b]0;title\u0007\ud800\ufffe'
const hostile = `${markup}${control}\n<testcase name="forged"/>`

const scenario = {
  title: `title ${hostile}`,
  steps: [
    {
      ...{ title: `step ${hostile}`, as: 'all', method: 'GET' },
      path: '/api/projects/1/annotations/1/',
      expect: { body: { content: `expected ${hostile}` } },
    },
  ],
}

async function reportOf(ending: 'html' | 'xml'): Promise<string> {
  const out = `${temporaryFolder()}/report.${ending}`
  const { code } = await run(['replay', temporaryFile(scenario), '--report', out])
  expect(code).toBe(1)
  return readFileSync(out, 'utf8')
}

test('markup in titles and values stays text in the HTML report', async () => {
  const page = await reportOf('html')

  expect(page.match(/<(img|script|testcase)/g)).toBeNull()
  expect(page.match(/<\/(title|section|pre)>/g)).toEqual(['</title>', '</pre>', '</section>'])
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;')
})

test('titles and values add no element to the JUnit report, and no character that XML forbids', async () => {
  const report = await reportOf('xml')

  expect(report.match(/<\w+/g)).toEqual(['<testsuites', '<testsuite', '<testcase', '<failure'])
  expect(report).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|\]\]>/u)
  expect(report).toContain('title &quot;')
})
