import packageJson from '../../../package.json' with { type: 'json' }
import { CommandContext } from '../../../src/cli/command-context.ts'
import { commandNames, loadCommands } from '../../../src/cli/program.ts'
import { tools } from '../../../src/server/mcp/tools.ts'
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
