import { UsageError } from '../utils/usage-error.ts'

/** Returns the error for a file that cannot be written. @param error as Node throws it */
export function unwritableFileError(file: string, error: unknown): UsageError {
  const { code = '', message } = error as { code?: string; message: string }
  const reason = reasons[code]
  return new UsageError(`Failed to write ${file}: ${reason ? `${reason} (${code})` : message}.`)
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'part of its path is a file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
}
