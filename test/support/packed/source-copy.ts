import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../cli/command.ts'
import { exec } from '../exec.ts'

/** Copies the files of the working tree that git does not ignore. Changes that are not committed are included. */
export async function copySources(folder: string): Promise<void> {
  const { stdout } = await exec('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
  })
  const names = stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))
  for (const name of names) cpSync(join(root, name), join(folder, name))
}

/** Copies the sources to a new git repository with one commit. */
export async function createRepository(folder: string): Promise<void> {
  await copySources(folder)
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
  const git = (...args: string[]) => exec('git', args, { cwd: folder })
  await git('init', '--quiet')
  await git('add', '--all')
  await git(...identity, '-c', 'commit.gpgsign=false', 'commit', '--quiet', '--message', 'Copy')
}
