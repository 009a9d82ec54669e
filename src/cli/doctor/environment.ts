import { didYouMean } from '../../utils/did-you-mean.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { createFlagOptions } from '../flags.ts'
import { type Check, fine } from './check.ts'

type Environment = Readonly<Record<string, string | undefined>>

const here = ['localhost', '127.0.0.1']

/** Whether requests to this machine would go to a proxy, as curl, Python and many clients send them. */
export function checkProxy(environment: Environment): Check {
  const name = 'proxy'
  const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']
  const set = names.filter((variable) => environment[variable])
  if (set.length === 0) return fine(name, 'no variable sets one')
  const exempt = environment.no_proxy ?? environment.NO_PROXY ?? ''
  const passed = exempt.split(/[\s,]+/)
  const missing = here.filter((host) => !passed.includes(host) && !passed.includes('*'))
  const found = `${set.join(', ')}${exempt === '' ? '' : `, with NO_PROXY=${exempt}`}`
  if (missing.length === 0) return fine(name, found)
  const wanted = [...passed.filter((host) => host !== ''), ...missing].join(',')
  const advice = `Requests to this machine go to the proxy, and do not come back: export NO_PROXY=${wanted} no_proxy=${wanted}`
  return { name, outcome: 'failed', found, advice }
}

/** What `exec` and `shrink` set for those that they run. */
const given = ['URL', 'KEY', 'PROJECT_ID', 'ORGANIZATION_ID', 'ADMIN_URL', 'SCENARIO']

/** Whether the variables of flags are read as whoever set them thinks. */
export function checkVariables(environment: Environment): Check {
  const name = 'variables'
  const set = Object.keys(environment).filter((variable) => variable.startsWith('UNDERSTUDY_'))
  if (set.length === 0) return fine(name, 'no UNDERSTUDY_… is set')
  const known = [...variables(), ...given.map((one) => `UNDERSTUDY_${one}`)]
  const found = set.join(', ')
  const unknown = set
    .filter((variable) => !known.includes(variable))
    .map((variable) => {
      const meant = didYouMean(variable, known)
      return `No flag has ${variable}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
    })
  const unread = set.flatMap((variable) => faultIn(variable, environment[variable] ?? ''))
  const faults = [...unread, ...unknown]
  if (faults.length === 0) return fine(name, found)
  const outcome = unread.length > 0 ? 'failed' : 'warning'
  return { name, outcome, found, advice: faults.join(' ') }
}

function variables(): string[] {
  return flags({}).flatMap(({ envVar }) => envVar ?? [])
}

function faultIn(variable: string, value: string): string[] {
  try {
    const option = flags({ [variable]: value }).find(({ envVar }) => envVar === variable)
    option?.parseArg?.(value, option.defaultValue as never)
    return []
  } catch (error) {
    if (error instanceof UsageError) return [error.message]
    throw error
  }
}

function flags(environment: Environment): ReturnType<typeof createFlagOptions> {
  return [...createFlagOptions('serve', environment), ...createFlagOptions('exec', environment)]
}
