import type { Command } from 'commander'

/** Told how a command ended that ended well, and yet not as was hoped. */
export type SetExitCode = (code: number) => void

/** Every command, loaded when it is asked for: most of them need much that the others do not. */
const commands: Readonly<Record<string, (ended: SetExitCode) => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  exec: async (ended) => (await import('./exec.ts')).execCommand(ended),
  replay: async (ended) => (await import('./replay.ts')).replayCommand(ended),
  record: async () => (await import('./record.ts')).recordCommand(),
  import: async () => (await import('./import.ts')).importCommand(),
  shrink: async (ended) => (await import('./shrink/shrink.ts')).shrinkCommand(ended),
  policies: async () => (await import('./policies.ts')).policiesCommand(),
  worlds: async () => (await import('./worlds.ts')).worldsCommand(),
  openapi: async () => (await import('./openapi.ts')).openApiCommand(),
  validate: async () => (await import('./validate.ts')).validateCommand(),
  init: async () => (await import('./init.ts')).initCommand(),
  doctor: async (ended) => (await import('./doctor/doctor.ts')).doctorCommand(ended),
  completion: async () => (await import('./completion/completion.ts')).completionCommand(),
}

/** The names of all commands. */
export const commandNames: readonly string[] = Object.keys(commands)

/** Loads some commands, by their names. */
export function loadCommands(
  names: readonly string[] = commandNames,
  ended: SetExitCode = () => {},
): Promise<Command[]> {
  return Promise.all(names.flatMap((name) => commands[name]?.(ended) ?? []))
}
