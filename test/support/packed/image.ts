import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { type Copy, DockerfileParser, type Instruction } from 'dockerfile-ast'
import { root } from '../cli/command.ts'

const exec = promisify(execFile)

/** What a Dockerfile makes, in a folder that stands for its file system. */
export interface Image {
  readonly folder: string
  /** Where its commands run */
  workdir: string
  readonly env: Record<string, string>
  /** Whoever its commands run as */
  uid: number
  gid: number
  entrypoint: readonly string[]
  command: readonly string[]
  healthcheck: readonly string[]
}

/** Only root may give files to others, and become them. */
export const isRoot: boolean = process.getuid?.() === 0

/** Does in a folder what an engine would do in a container: the same instructions, with the same commands. */
export async function buildImage(folder: string): Promise<Image> {
  // Whoever it is run as has to reach it.
  chmodSync(folder, 0o755)
  const context = join(folder, 'context')
  copyContext(context)
  const images = new Map<string, Image>()
  let image = emptyImage(join(folder, 'none'))
  const text = readFileSync(join(context, '..', 'Dockerfile'), 'utf8')
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') {
      const [, , name = 'last'] = wordsOf(instruction)
      image = emptyImage(join(folder, name))
      images.set(name, image)
      continue
    }
    const from = flagOf(instruction, 'from')
    const source = from === undefined ? context : images.get(from)?.folder
    await obey(image, instruction, source ?? join(folder, 'nowhere'))
  }
  return image
}

/** What .dockerignore lets through: all of it is left out, but for the names behind an exclamation mark. */
function copyContext(context: string): void {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  const [all, ...names] = lines.filter((line) => line !== '' && !line.startsWith('#'))
  if (all !== '*' || !names.every((name) => /^![\w.-]+$/.test(name)))
    throw new Error('Failed to read .dockerignore: expected * and then !NAME, line by line.')
  for (const name of names.map((line) => line.slice(1)))
    cpSync(join(root, name), join(context, name), { recursive: true })
  cpSync(join(root, 'Dockerfile'), join(context, '..', 'Dockerfile'))
}

function emptyImage(folder: string): Image {
  mkdirSync(folder, { recursive: true })
  const none = { entrypoint: [], command: [], healthcheck: [] }
  return { folder, workdir: '/', env: {}, uid: 0, gid: 0, ...none }
}

async function obey(image: Image, instruction: Instruction, source: string): Promise<void> {
  const content = instruction.getArgumentsContent() ?? ''
  switch (instruction.getKeyword()) {
    case 'WORKDIR':
      image.workdir = content
      mkdirSync(inside(image, content), { recursive: true })
      return
    case 'COPY':
      return copy(image, instruction, source)
    case 'RUN':
      // What is at hand needs no network.
      await exec('sh', ['-c', content], {
        cwd: inside(image, image.workdir),
        env: { ...process.env, npm_config_prefer_offline: 'true' },
      })
      return
    case 'ENV':
      for (const [name = '', value = ''] of wordsOf(instruction).map((pair) => pair.split('=')))
        image.env[name] = value
      return
    case 'USER': {
      const [uid = 0, gid = 0] = content.split(':').map(Number)
      Object.assign(image, { uid, gid })
      return
    }
    case 'HEALTHCHECK':
      image.healthcheck = JSON.parse(content.replace(/^CMD /, ''))
      return
    case 'ENTRYPOINT':
      image.entrypoint = JSON.parse(content)
      return
    case 'CMD':
      image.command = JSON.parse(content)
      return
    case 'LABEL':
    case 'EXPOSE':
      return
    default:
      throw new Error(`Failed to obey ${instruction.getKeyword()}: it is not known here.`)
  }
}

/** Of a folder it is what is in it that is copied. */
function copy(image: Image, instruction: Instruction, source: string): void {
  const words = wordsOf(instruction)
  const target = words.pop() ?? ''
  const to = target.startsWith('/')
    ? inside(image, target)
    : join(inside(image, image.workdir), target)
  for (const word of words) {
    const from = join(source, word)
    const isFolder = statSync(from).isDirectory()
    cpSync(from, isFolder || !target.endsWith('/') ? to : join(to, basename(word)), {
      recursive: true,
      verbatimSymlinks: true,
    })
  }
  const [uid, gid] = (flagOf(instruction, 'chown') ?? '').split(':').map(Number)
  if (isRoot && uid && gid) {
    lchownSync(to, uid, gid)
    for (const name of readdirSync(to)) lchownSync(join(to, name), uid, gid)
  }
}

/** A path of the image, in its folder. */
export function inside({ folder }: Image, path: string): string {
  return join(folder, path)
}

function wordsOf(instruction: Instruction): string[] {
  return instruction.getExpandedArguments().map((argument) => argument.getValue())
}

function flagOf(instruction: Instruction, name: string): string | undefined {
  const flags = 'getFlags' in instruction ? (instruction as Copy).getFlags() : []
  return flags.find((flag) => flag.getName() === name)?.getValue() ?? undefined
}
