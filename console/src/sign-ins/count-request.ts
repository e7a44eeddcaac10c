/** The request that counts sign-ins. */

/** Whose sign-ins are counted; without either, those of the instance. */
export interface CountScope {
  readonly organizationId?: string | undefined
  readonly applicationId?: string
}

/** Days begin at midnight of the reader. */
export function countRequestOf({ organizationId, applicationId }: CountScope, days: number) {
  const scope = applicationId
    ? ({ case: 'applicationId', value: applicationId } as const)
    : organizationId
      ? ({ case: 'organizationId', value: organizationId } as const)
      : ({ case: undefined } as const)
  return { scope, days, utcOffsetMinutes: -new Date().getTimezoneOffset() }
}
