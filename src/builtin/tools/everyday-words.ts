/** Words of everyday trouble and its remedy, by field: "bounce it" and `restart`, "how fattening" and `nutrition`. */
export const EVERYDAY = `
alarm burglar burglars intruder intruders thief thieves security
camera cctv webcam doorbell footage picture
dishes dishwasher plates crockery cutlery
vacuum crumbs dust dusty dirty filthy
light dark gloomy brightness glow
blinds glare sunlight sun
volume noise racket din blaring hush
heating thermostat freezing chilly boiling sweltering stuffy toasty cosy shivering
restart bounce reboot hang hangs hung stuck frozen unresponsive
rollback revert earlier previous downgrade
replica replicas instance instances copies pods nodes workers scale
logs log output stacktrace errors
disk storage gb gigs gigabytes gigabyte tb terabytes space
certificate tls ssl https cert expire expires expired
block ban deny blacklist blocklist hammering attacking attacker
secret credential key token leaked compromised password
backup snapshot dump
restore recover wiped corrupted lost
database db postgres mysql
tests test suite ci pipeline
pull pr merge propose proposal branch
review reviewer reviewing look
deploy live rollout
server host box machine vm node
currency pounds yen euros dollars francs worth convert exchange
visa entry passport border requirement requirements nationality
flight land landed landing delayed takeoff boarding gate
taxi cab lift ride pickup
parking park parked
pass ticket network
departures departure leave leaving trains
hotel sleep bed overnight night
coupon discount voucher promo code
return refund damaged exchange
order parcel arrive arrived arrives shipped
nutrition nutrients calories calorie kcal fattening healthy unhealthy protein carbs sugar diet
recipe cook cooking dish leftovers ingredient ingredients
timer ring beep buzz
oven hot hotter preheat roast bake
units cups cup grams gram ounces ounce tablespoon tablespoons teaspoon millilitres pints measures
water drink drank glass bottle hydrated thirsty
run jog ran jogged marathon
weight scales
blood pressure systolic diastolic
refill prescription medication pills tablets repeat
doctor appointment specialist medical specialty
steps walk walking goal
class gym pilates yoga spinning zumba crossfit aerobics boxing
expense expenses claim receipt reimburse reimbursement lunch dinner
leave holiday vacation absence
visitor guest reception visiting
colleague employee coworker desk team extension
supplies paper toner pens staples stationery envelopes
room meeting sit seats
balance left remaining
loan borrow borrowed overdue due library
catalogue catalog library search
desk seat study reading workplace
navigate navigation guidance directions route
forecast weather umbrella raincoat sunscreen coat
translate translation phrase
message text receiver
ingredient food leek leeks onion onions garlic potato potatoes tomato tomatoes carrot carrots cabbage spinach courgette zucchini aubergine eggplant mushroom mushrooms lentils chickpeas beans peas rice bread cheese halloumi feta mozzarella butter milk cream yoghurt yogurt egg eggs chicken beef pork lamb turkey salmon tuna cod prawns shrimp tofu avocado banana bananas apple apples orange lemon berries strawberries nuts almonds peanuts chocolate honey pumpkin broccoli cauliflower
medication medicine drug metformin ibuprofen aspirin paracetamol insulin amoxicillin omeprazole statin inhaler antibiotics ramipril lisinopril levothyroxine sertraline painkillers pills tablets drops
specialty specialist doctor cardiologist dermatologist orthopaedist orthopedist neurologist gynaecologist gynecologist urologist paediatrician pediatrician psychiatrist ophthalmologist oncologist rheumatologist allergist
alarm guard protect secure security arm
camera gate porch driveway doorstep outside
dishwasher plates pans cutlery cycle rinse
small tight narrow short snug tiny
big large loose huge baggy wide oversized
damaged broken smashed cracked torn pieces shattered chipped scratched dented
wrong different incorrect mistaken
quick fast short express rapid brief
eco economical saving gentle
intensive thorough heavy strong
away out gone leaving travelling weekend holiday empty
home bed sleeping asleep staying indoors
logs log output spit print complaining errors trace
service api app backend worker daemon
scale cope load traffic overloaded struggling busy copies
secret credential leaked exposed compromised
certificate padlock browser expires expired expiring
block hammering attack attacking bots spam hostile
tests check broke green verify
issue fixed solved sorted tracker board
visa papers documents passport entry allowed
gym workout weights sweat train exercise
taxi lift driver cab
network trams tram buses bus metro underground
forecast jacket coat boots sunny wet weather
menu special canteen dishes lunch
catalogue novel author title read
desk quiet spot seat reading study
weight scales kilos weighed
supplies toner ink pens paper envelopes folders batteries
leave off free away beach
colleague sits reach extension desk team phone
lodging hotel overnight bed room
checking current everyday
savings saved nest
order parcel sign arrive delivery
volume deafening quieter louder whisper
music tunes fancy hear listen artist band
vacuum mess messy crumbs dirty hoover
blinds sun blinding glare dark curtain
light dark dim burning lamp
oven hot roast bake gas celsius
timer eggs pasta shout beep minutes
recipe dinner cook make leftovers hungry
steps walk target daily
loan due finished borrowed weeks library
balance broke rich afford
`;
