/** Phones take pictures that are larger than an upload may be: what is too large is drawn smaller before it is sent. */

const SIDES = [1024, 768, 512, 384, 256]

/** The file itself if it is small enough, or no picture that the browser can draw: the server then says what is wrong. */
export async function shrunk(file, maxBytes) {
  if (file.size <= maxBytes || !/^image\/(png|jpeg|webp)$/.test(file.type)) return file
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (picture === undefined) return file
  // Only JPEG has no transparency to lose. A browser that cannot write WebP writes PNG.
  const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp'
  for (const side of SIDES) {
    const scale = Math.min(1, side / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, type, 0.85))
    if (blob !== null && blob.size <= maxBytes) return new File([blob], file.name, { type: blob.type })
  }
  return file
}
