import { help, readOptions, UsageError } from './cli-options.ts';
import { openVenue, type Venue } from './venue.ts';

const lineEveryMs = 10_000;

const line = (venue: Venue): string => {
  const it = venue.stats();
  return (
    `${new Date().toISOString().slice(11, 19)}  online ${it.online}  accepted ${it.accepted}  rejected ${it.rejected}  ` +
    `unanswered ${it.unanswered}  accounting ${it.acknowledged}/${it.accounted}${it.lost ? `  lost ${it.lost}` : ''}`
  );
};

const main = async (): Promise<void> => {
  const options = await readOptions(process.argv.slice(2));
  if (options === 'help') return void process.stdout.write(help);
  const venue = await openVenue(options.venue);
  for (const router of venue.routers) router.behaveOnCoa(options.coa);
  const say = (text: string): void => {
    if (!options.quiet) console.log(text);
  };
  say(`${venue.routers.length} routers, ${options.venue.guests} guests, time × ${venue.clock.scale}; Ctrl-C ends it`);
  for (const router of venue.routers.slice(0, 10))
    say(`  ${router.nasIdentifier}  hotspot ${router.hotspotUrl}  CoA ${router.address}:${router.coaPort}`);

  const reports = setInterval(() => say(line(venue)), lineEveryMs);
  let end: NodeJS.Timeout | undefined;
  await new Promise<void>(resolve => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
    // The process that started it with a channel was killed.
    process.once('disconnect', () => resolve());
    if (options.durationSeconds !== undefined) end = setTimeout(resolve, options.durationSeconds * 1000);
  });
  clearInterval(reports);
  // An open channel would keep the process alive.
  if (process.connected) process.disconnect();
  // Without this, the process would go on until then, although it was asked to end.
  clearTimeout(end);
  await venue.stop();
  say(line(venue));
};

main().catch((error: unknown) => {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const isUsage = error instanceof UsageError || error instanceof RangeError || isTaken;
  console.error(isUsage ? `simulate: ${error.message}` : error);
  process.exitCode = 1;
});
