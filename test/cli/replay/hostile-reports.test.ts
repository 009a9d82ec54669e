import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { temporaryFile, temporaryFolder } from '../../support/files.ts'

const markup = `"'><img src=x onerror=alert(1)></pre></title></section><script>alert(1)</script>`
const control = ']]>\u0000\u0007\u001b[31m\u001b]0;title\u0007\ud800\ufffe'
const hostile = `${markup}${control}\r\n\t<testcase name="forged"/>`

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

test('titles and values stay text in reports: they add no element, no line and no character that XML forbids', async () => {
  const [txt, xml] = ['txt', 'xml'].map((ending) => `${temporaryFolder()}/report.${ending}`) as [
    string,
    string,
  ]

  await run(['replay', temporaryFile(scenario), '--report', txt, '--report', xml])

  const [text, report] = [readFileSync(txt, 'utf8'), readFileSync(xml, 'utf8')]
  expect(text).not.toMatch(/[^\P{Cc}\n]|^\s*<testcase/mu)
  expect(report.match(/<\w+/g)).toEqual(['<testsuites', '<testsuite', '<testcase', '<failure'])
  expect(report).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|\]\]>/u)
  expect(report).toContain('title &quot;')
  // A parser would read a line break or a tab in an attribute as a space.
  expect(report).toContain('&#13;&#10;&#9;&lt;testcase name=&quot;forged&quot;/&gt;')
})
