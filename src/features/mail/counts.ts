/** What became of mails in this process since it started, for the metrics. */
export interface MailCounts {
  /** Taken by the mail server. */
  sent: number
  /** Brought to the development inbox. */
  inbox: number
  /** Tries that failed and will be repeated. */
  delayed: number
  /** Given up. */
  parked: number
}

export function newMailCounts(): MailCounts {
  return { sent: 0, inbox: 0, delayed: 0, parked: 0 }
}
