import packageJson from '../../../package.json' with { type: 'json' }
import { CommandContext } from '../../../src/cli/command-context.ts'
import { commandNames, loadCommands } from '../../../src/cli/program.ts'
import { listen } from '../../../src/server/listen.ts'
import { tools } from '../../../src/server/mcp/tools.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { noon } from '../api/paths.ts'
import { documents, readDocument } from './readme.ts'

/** Writes llms.txt: every document with its first sentence, every command and every tool. */
export async function llmsText(): Promise<string> {
  const { stdout, stderr } = process
  const context = new CommandContext({ stdout, stderr, signal: new AbortController().signal })
  const commands = await loadCommands(commandNames, context)
  const guides = documents.filter((document) => !/CHANGELOG|CONTRIBUTING/.test(document))
  return [
    '# Understudy',
    `> ${packageJson.description} It keeps state, checks keys and scopes, and names the evidence for each behaviour.`,
    'Paths are relative to the folder of the package, `node_modules/understudy-api`.',
    '## Documents',
    guides.map(describeDocument).join('\n'),
    '## Commands',
    commands
      .map((command) => `- \`npx understudy-api ${command.name()}\`: ${command.description()}`)
      .join('\n'),
    '## Tools of the MCP server',
    tools.map(({ name, description }) => `- \`${name}\`: ${description}`).join('\n'),
  ]
    .join('\n\n')
    .concat('\n')
}

function describeDocument(document: string): string {
  const text = readDocument(document).replace(/^---[\s\S]*?^---\n/m, '')
  const [, title = '', rest = ''] = /^\s*# (.*)\n([\s\S]*)$/.exec(text) ?? []
  const paragraphs = rest.split(/\n\s*\n/).map((paragraph) => paragraph.trim())
  const paragraph = paragraphs.find((paragraph) => /^[^#<!|-]/.test(paragraph)) ?? ''
  const prose = paragraph
    .replaceAll('\n', ' ')
    .replace(/ \(\[[^\]]*\]\([^)]*\)\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  const [sentence = ''] = /^.*?[.:](?= |$)/.exec(prose) ?? []
  return `- [${title}](${document}): ${sentence.replace(/:$/, '.')}`
}

const annotation = '/api/projects/1/annotations/1/'

/** A session that is useful by itself. */
const session: readonly (readonly [tool: string, args: object])[] = [
  ['sendRequest', { method: 'DELETE', path: annotation, key: 'annotations' }],
  ['listPolicies', { text: 'annotations.delete.' }],
  ['setPolicies', { policies: { 'annotations.delete.status': '403' } }],
  ['sendRequest', { method: 'DELETE', path: annotation, key: 'annotations' }],
  ['resetWorld', {}],
  ['sweepScenario', { scenario: 'response-lost-after-create' }],
]

/** Runs a session against a server, and returns each call with the structured content of its result. */
export async function mcpTranscript(): Promise<string> {
  const server = await listen(createSimulator({ clock: noon }))
  const lines: string[] = []
  for (const [index, [name, args]] of session.entries()) {
    const params = { name, arguments: args }
    const request = { jsonrpc: '2.0', id: index + 1, method: 'tools/call', params }
    const response = await fetch(`${server.url}/__admin/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(request),
    })
    const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? []
    lines.push(
      `→ ${JSON.stringify(request)}`,
      JSON.stringify(JSON.parse(data).result.structuredContent),
    )
  }
  await server.close()
  return lines.map((line) => `    ${line}`).join('\n')
}
