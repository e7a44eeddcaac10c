/** Writes the times of a page in the time zone of the browser. Without it they are in UTC, which is named. */

const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })

for (const element of document.querySelectorAll('time[datetime]')) {
  const at = Date.parse(element.dateTime)
  if (!Number.isNaN(at)) element.textContent = format.format(at)
}
