/** Reads the timeout of a caller: `grpc-timeout` and `connect-timeout-ms`. */
import { malformed } from './errors.ts'

const MILLISECONDS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 0.001,
  n: 0.000_001,
}

/** Milliseconds of a `grpc-timeout` header: at most eight digits and a unit. */
export function parseGrpcTimeout(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const unit = MILLISECONDS[value.slice(-1)]
  const digits = value.slice(0, -1)
  if (unit === undefined || !/^\d{1,8}$/.test(digits)) throw malformed('The header grpc-timeout is malformed.')
  return Number(digits) * unit
}

/** Milliseconds of a `connect-timeout-ms` header: at most ten digits. */
export function parseConnectTimeout(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d{1,10}$/.test(value)) throw malformed('The header connect-timeout-ms is malformed.')
  return Number(value)
}
