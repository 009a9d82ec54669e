'use client'
import { use } from 'react'

const started =
  typeof window === 'object' &&
  process.env.NODE_ENV === 'development' &&
  process.env.NEXT_PUBLIC_OFFLINE
    ? import('understudy-api/browser').then(({ startInBrowser }) => startInBrowser())
    : null

/** Renders its children when the simulator answers their requests. */
export function Offline({ children }) {
  if (started) use(started)
  return children
}
