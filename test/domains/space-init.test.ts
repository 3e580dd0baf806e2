import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { COMMAND } from '../command.ts';
import { temporaryFolder } from '../runtime.ts';

const holodeck = (...args: string[]) =>
  promisify(execFile)(process.execPath, [COMMAND, ...args], { env: { ...process.env, NO_COLOR: '1' } });

const TRIPS = `Trip ID,Date,driver_id,Vehicle Type,Distance (km),Fuel Cost,Is Late,Rating
1,2025-09-01,1,Van,12.5,8.40,0,5
2,2025-09-01,2,Truck,140,96.10,1,3
3,2025-09-03,1,Van,33,21.00,0,4
4,2025-10-02,3,Van,8,5.20,0,
`;
const DRIVERS =
  'driver_id,driver,depot,hired\n1,Ana,North,31/12/2019\n2,Ben,South,01/05/2021\n3,Cleo,North,15/08/2022\n';

function folderOf(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('holodeck space init', () => {
  it('drafts keys, joins, measures, dimensions, filters and dates, and its draft is sound', async () => {
    const folder = folderOf({ 'Trips.csv': TRIPS, 'drivers.csv': DRIVERS });
    const { stdout, stderr } = await holodeck(
      'space',
      'init',
      join(folder, 'Trips.csv'),
      join(folder, 'drivers.csv'),
      '--name',
      'fleet',
    );
    expect(stdout).toContain('wrote space.yaml and agent.yaml: 2 tables with 7 rows, 4 measures, 2 dimensions');
    expect(stderr).toContain('hired of drivers.csv looks like dates such as 31/12/2019; write them as 2025-12-31');
    expect(stderr).toContain('hint: the files do not name the currency of fuel cost; write its code in space.yaml');
    const space = parse(readFileSync(join(folder, 'space.yaml'), 'utf8'));
    expect(space).toMatchObject({
      name: 'fleet',
      tables: {
        trips: {
          file: 'Trips.csv',
          key: 'trip_id',
          time: 'Date',
          joins: ['drivers'],
        },
        drivers: { file: 'drivers.csv', key: 'driver_id', label: 'driver' },
      },
      measures: {
        distance: { sum: 'trips.distance_km', unit: 'km' },
        'fuel cost': { sum: 'trips.fuel_cost', unit: 'money', good: 'down' },
        'late rate': { share: 'trips.is_late', unit: 'percent' },
        rating: { average: 'trips.Rating', unit: 'stars', good: 'up' },
      },
      dimensions: { 'vehicle type': { columns: ['trips.vehicle_type'] }, depot: { columns: ['drivers.depot'] } },
      filters: { late: { columns: ['trips.is_late'], is: 1 } },
    });
    expect((await holodeck('space', 'check', join(folder, 'space.yaml'))).stdout).toContain('is sound');
    expect((await holodeck('check', join(folder, 'agent.yaml'))).stdout).toContain('is valid: fleet');
  });

  it('takes the currency from the names of columns, says so, and shows amounts in it', async () => {
    const folder = folderOf({
      'sales.csv': 'sale_id,city,Amount (€),Tax\n1,Lyon,12.50,2.50\n2,Nice,1200,240\n3,Nice,3.40,0.68\n',
      'fees.csv': 'fee_id,kind,fee,currency\n1,a,10.50,CHF\n2,a,7,CHF\n3,b,1,CHF\n',
    });
    const { stderr } = await holodeck('space', 'init', join(folder, 'sales.csv'), join(folder, 'fees.csv'));
    expect(stderr).toContain('hint: amount is taken for EUR; change its `unit` in space.yaml if it is not.');
    const { measures } = parse(readFileSync(join(folder, 'space.yaml'), 'utf8'));
    expect(measures).toMatchObject({ amount: { sum: 'sales.amount_eur', unit: 'EUR' }, fee: { unit: 'CHF' } });
    const ask = async (question: string) => (await holodeck('run', join(folder, 'agent.yaml'), question)).stdout;
    expect(await ask('amount by city')).toContain('Nice has the most with €1,203, Lyon the least with €12.50.');
    expect(await ask('fee by kind')).toContain('a has the most with CHF\u00a017.50');
  });

  it('overwrites nothing, and names file and line of a file that cannot be read', async () => {
    const folder = folderOf({ 'trips.csv': TRIPS, 'bad.csv': 'a,b\n1,2\n3\n', 'agent.yaml': 'name: mine\n' });
    const fails = (file: string) => holodeck('space', 'init', join(folder, file)).catch((error) => error.stderr);
    expect(await fails('trips.csv')).toContain('agent.yaml already exists, and nothing is overwritten');
    expect(readFileSync(join(folder, 'agent.yaml'), 'utf8')).toBe('name: mine\n');
    const other = folderOf({ 'bad.csv': 'a,b\n1,2\n3\n' });
    const told = await holodeck('space', 'init', join(other, 'bad.csv')).catch((error) => error.stderr);
    expect(told).toContain('bad.csv:3: the row has 1 field, the first row has 2');
  });
});

describe('holodeck space check', () => {
  it('refuses a key that is there twice, with file and line', async () => {
    const folder = folderOf({
      'items.csv': 'item,units\nBoots,1\nTee,2\nBoots,3\n',
      'space.yaml':
        'name: shop\ntitle: shop\ndescription: a shop\ntables:\n  items: { file: items.csv, key: item }\nmeasures:\n  units: { sum: items.units, unit: units }\n',
    });
    const told = await holodeck('space', 'check', join(folder, 'space.yaml')).catch((error) => error.stderr);
    expect(told).toContain('items.csv:4: item Boots is also on line 2; a key must be unique');
  });
});
