/** States of the USA with their larger cities, and countries with their codes and larger cities. Facts from general knowledge. */
export const STATES = `
AL Alabama: Birmingham, Montgomery, Huntsville, Tuscaloosa
AK Alaska: Anchorage, Juneau, Fairbanks
AZ Arizona: Phoenix, Tucson, Mesa, Scottsdale, Chandler, Tempe, Flagstaff, Sedona
AR Arkansas: Little Rock, Fayetteville
CA California: Los Angeles, San Diego, San Jose, San Francisco, Fresno, Sacramento, Long Beach, Oakland, Bakersfield, Anaheim, Santa Ana, Riverside, Stockton, Irvine, Chula Vista, Fremont, San Bernardino, Modesto, Fontana, Oxnard, Huntington Beach, Glendale, Santa Clarita, Santa Rosa, Pasadena, Hayward, Sunnyvale, Santa Clara, Vallejo, Concord, Berkeley, Fairfield, Richmond, Antioch, Daly City, San Mateo, Mountain View, Palo Alto, Cupertino, Milpitas, Alameda, Napa, Union City, Redwood City, San Rafael, Petaluma, Novato, Walnut Creek, Pleasanton, Livermore, Dublin, San Ramon, Danville, Campbell, Los Gatos, Los Altos, Saratoga, Menlo Park, Burlingame, San Bruno, South San Francisco, Pacifica, San Leandro, San Lorenzo, Castro Valley, Emeryville, Pinole, El Cerrito, Martinez, Pittsburg, Brentwood, Lafayette, Orinda, Moraga, Mill Valley, Sausalito, Tiburon, Larkspur, Corte Madera, San Anselmo, Sonoma, Healdsburg, Calistoga, Yountville, St. Helena, Saint Helena, Gilroy, Morgan Hill, Santa Cruz, Monterey, Carmel, Salinas, Watsonville, Half Moon Bay, Foster City, Belmont, San Carlos, Millbrae, Rohnert Park, Sebastopol, Windsor, Cloverdale, Ukiah, Davis, Vacaville, Benicia, Suisun City, American Canyon, Rio Vista, Oakley, Hercules, San Pablo, Rodeo, Crockett, Santa Monica, Santa Barbara, Malibu, Beverly Hills, Burbank, Palm Springs, Torrance, Big Sur, San Luis Obispo, Ventura, Carlsbad, Escondido, Oceanside
CO Colorado: Denver, Colorado Springs, Boulder, Aurora, Fort Collins, Aspen, Vail
CT Connecticut: Hartford, New Haven, Stamford, Bridgeport
DE Delaware: Wilmington, Dover
FL Florida: Miami, Orlando, Tampa, Jacksonville, Fort Lauderdale, Tallahassee, St. Petersburg, Key West, Naples, Gainesville
GA Georgia: Atlanta, Savannah, Augusta, Athens
HI Hawaii: Honolulu, Maui, Hilo
ID Idaho: Boise
IL Illinois: Chicago, Springfield, Peoria, Naperville, Evanston
IN Indiana: Indianapolis, Bloomington, Fort Wayne
IA Iowa: Des Moines, Cedar Rapids
KS Kansas: Wichita, Topeka, Overland Park
KY Kentucky: Louisville, Lexington
LA Louisiana: New Orleans, Baton Rouge, Shreveport
ME Maine: Bangor
MD Maryland: Baltimore, Annapolis, Bethesda, Rockville
MA Massachusetts: Boston, Cambridge, Worcester, Salem
MI Michigan: Detroit, Ann Arbor, Grand Rapids, Lansing
MN Minnesota: Minneapolis, Saint Paul, St. Paul, Duluth
MS Mississippi: Jackson, Biloxi
MO Missouri: Kansas City, St. Louis, Saint Louis
MT Montana: Billings, Bozeman, Missoula
NE Nebraska: Omaha, Lincoln
NV Nevada: Las Vegas, Reno, Henderson
NH New Hampshire: Manchester, Nashua
NJ New Jersey: Jersey City, Newark, Trenton, Princeton, Hoboken, Atlantic City
NM New Mexico: Albuquerque, Santa Fe
NY New York: New York, New York City, Brooklyn, Manhattan, Queens, Buffalo, Rochester, Albany, Syracuse, Ithaca
NC North Carolina: Charlotte, Raleigh, Durham, Greensboro, Asheville
ND North Dakota: Fargo, Bismarck
OH Ohio: Columbus, Cleveland, Cincinnati, Toledo, Dayton, Akron
OK Oklahoma: Oklahoma City, Tulsa
OR Oregon: Portland, Eugene, Bend
PA Pennsylvania: Philadelphia, Pittsburgh, Harrisburg, Scranton, Allentown
RI Rhode Island: Providence, Newport
SC South Carolina: Charleston, Columbia, Greenville, Myrtle Beach
SD South Dakota: Sioux Falls, Rapid City
TN Tennessee: Nashville, Memphis, Knoxville, Chattanooga
TX Texas: Houston, Austin, Dallas, San Antonio, Fort Worth, El Paso, Arlington, Plano, Galveston, Lubbock
UT Utah: Salt Lake City, Provo, Park City, Moab
VT Vermont: Burlington
VA Virginia: Virginia Beach, Norfolk, Alexandria, Charlottesville
WA Washington: Seattle, Spokane, Tacoma, Bellevue, Redmond, Olympia
WV West Virginia: Huntington
WI Wisconsin: Milwaukee, Madison, Green Bay
WY Wyoming: Cheyenne
DC District of Columbia: Washington, Washington DC
`;

export const COUNTRIES = `
GB UK, United Kingdom, Great Britain, England: London, Birmingham, Liverpool, Leeds, Edinburgh, Glasgow, Bristol, Oxford
US USA, United States, America:
CA Canada: Toronto, Vancouver, Montreal, Calgary, Ottawa, Edmonton, Quebec City, Winnipeg
MX Mexico: Mexico City, Cancun, Guadalajara
BR Brazil: Rio de Janeiro, Sao Paulo, Brasilia
AR Argentina: Buenos Aires
CL Chile: Santiago
PE Peru: Lima
CO Colombia: Bogota
FR France: Paris, Lyon, Marseille, Nice, Bordeaux, Toulouse
DE Germany: Berlin, Munich, Hamburg, Frankfurt, Cologne, Stuttgart, Leipzig, Dresden
IT Italy: Rome, Milan, Venice, Florence, Turin, Bologna
ES Spain: Madrid, Barcelona, Valencia, Seville, Malaga
PT Portugal: Lisbon, Porto
NL Netherlands: Amsterdam, Rotterdam, Utrecht
BE Belgium: Brussels, Antwerp
CH Switzerland: Zurich, Geneva, Bern, Basel
AT Austria: Vienna, Salzburg, Innsbruck
IE Ireland: Dublin, Cork, Galway, Letterkenny
DK Denmark: Copenhagen
SE Sweden: Stockholm, Gothenburg
NO Norway: Oslo, Bergen
FI Finland: Helsinki
LV Latvia: Riga
PL Poland: Warsaw, Krakow
CZ Czech Republic, Czechia: Prague
HU Hungary: Budapest
GR Greece: Athens
TR Turkey: Istanbul, Ankara
RU Russia: Moscow, Saint Petersburg
UA Ukraine: Kyiv
EG Egypt: Cairo
ZA South Africa: Cape Town, Johannesburg
NG Nigeria: Lagos
KE Kenya: Nairobi
MA Morocco: Marrakesh, Casablanca
AE United Arab Emirates, UAE: Dubai, Abu Dhabi
IL Israel: Tel Aviv, Jerusalem
SA Saudi Arabia: Riyadh
IN India: Delhi, New Delhi, Mumbai, Bangalore, Chennai, Kolkata, Hyderabad, Noida, Pune
PK Pakistan: Karachi, Lahore
CN China: Beijing, Shanghai, Guangzhou, Shenzhen
HK Hong Kong:
TW Taiwan: Taipei
JP Japan: Tokyo, Kyoto, Osaka, Sapporo
KR South Korea: Seoul, Busan
TH Thailand: Bangkok, Phuket, Chiang Mai
VN Vietnam: Hanoi, Ha Noi, Ho Chi Minh City
MY Malaysia: Kuala Lumpur
SG Singapore:
ID Indonesia: Jakarta, Bali
PH Philippines: Manila
AU Australia: Sydney, Melbourne, Brisbane, Perth, Adelaide
NZ New Zealand: Auckland, Wellington, Queenstown
`;

/** Short and pet names of cities. */
export const NICKNAMES: Readonly<Record<string, string>> = {
  la: 'Los Angeles',
  lax: 'Los Angeles',
  nyc: 'New York',
  'big apple': 'New York',
  sf: 'San Francisco',
  'san fran': 'San Francisco',
  philly: 'Philadelphia',
  vegas: 'Las Vegas',
  'chi-town': 'Chicago',
  'windy city': 'Chicago',
  atl: 'Atlanta',
  nola: 'New Orleans',
};
